// skt-plan: plans a super kernel from a description.
//
// Exit status: 0 planned and proved; 1 a rule is broken (findings printed); 2 the input or the call is unusable.
#include <skt/host/option_sentence.hpp>
#include <skt/host/plan_json.hpp>
#include <skt/report/chrome_trace.hpp>
#include <skt/report/dot.hpp>
#include <skt/report/explain.hpp>
#include <skt/report/flow_svg.hpp>
#include <skt/report/markdown.hpp>
#include <skt/report/schedule.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace skt;

/// What the program is asked to do.
struct call {
    std::string file;
    std::string format = "text";
    std::string out;
    std::string options;
};

/// Everything an output format can draw from.
struct result {
    const graph& g;
    const host::planned& plan;
    const std::vector<finding>& findings;
    report::style style = report::style::plain; ///< Of text.
};

std::string as_text(const result& r)
{
    std::string text;
    if (r.g.kernel_count > 0) {
        text = report::explain(r.g, r.plan, r.style);
    }
    for (const finding& f : r.findings) {
        text += fmt::format("{}: [{}] {}\n", host::severity_of(f.broken), name_of(f.broken), host::sentence(r.g, f));
    }
    return text;
}

std::string as_json(const result& r)
{
    return host::plan_json(r.g, r.plan, r.findings).dump(2) + "\n";
}

std::string as_markdown(const result& r)
{
    std::string text = report::markdown(r.g, r.plan);
    for (const finding& f : r.findings) {
        text +=
            fmt::format("- **{}** `{}`: {}\n", host::severity_of(f.broken), name_of(f.broken), host::sentence(r.g, f));
    }
    return text;
}

std::string as_svg(const result& r)
{
    return report::flow_svg(r.g, r.plan);
}

std::string as_dot(const result& r)
{
    return report::dot(r.g, r.plan);
}

/// A plan file says nothing about times: every sub-kernel is drawn equally long.
std::string as_trace(const result& r)
{
    constexpr double nominal_ns = 10'000;
    return report::chrome_trace({report::modelled_schedule(r.g, r.plan, report::nominal_times(r.g, nominal_ns), {},
                                                           "planned, each kernel 10 us,")});
}

/// The output formats. A format is a name and a function.
struct format {
    const char* name;
    std::string (*write)(const result&);
};
constexpr format formats[] = {{"text", as_text},   {"json", as_json},         {"svg", as_svg},
                              {"trace", as_trace}, {"markdown", as_markdown}, {"dot", as_dot}};

const format* find_format(const std::string& name)
{
    for (const format& f : formats) {
        if (name == f.name) {
            return &f;
        }
    }
    return nullptr;
}

std::string format_names()
{
    std::string names;
    for (const format& f : formats) {
        names += std::string(names.empty() ? "" : ", ") + f.name;
    }
    return names;
}

constexpr const char* usage = "usage: skt-plan FILE [--format FORMAT] [--options STRING] [--out PATH]\n"
                              "Plans the super kernel that FILE describes; FILE may be - for standard input.\n";

call read_call(int argc, char** argv)
{
    call c;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--format" || word == "--out" || word == "--options") {
            if (i + 1 == argc) {
                throw host::input_error(fmt::format("{} needs a value behind it.", word));
            }
            (word == "--format" ? c.format : word == "--out" ? c.out : c.options) = argv[++i];
        } else if (word.size() > 1 && word[0] == '-') {
            throw host::input_error(
                fmt::format("'{}' is no option of skt-plan: the options are --format, --options and --out.", word));
        } else if (!c.file.empty()) {
            throw host::input_error(
                fmt::format("Two files are named, '{}' and '{}': plan one at a time.", c.file, word));
        } else {
            c.file = word;
        }
    }
    if (c.file.empty()) {
        throw host::input_error("No file is named: give the description of a super kernel.");
    }
    if (find_format(c.format) == nullptr) {
        throw host::input_error(
            fmt::format("There is no output format '{}': the formats are {}.", c.format, format_names()));
    }
    return c;
}

constexpr std::size_t most_bytes = std::size_t{64} << 20;

std::string read_stream(std::FILE* in, const std::string& name)
{
    std::string text;
    char block[65536];
    for (std::size_t n = 0; (n = std::fread(block, 1, sizeof block, in)) > 0;) {
        text.append(block, n);
        if (text.size() > most_bytes) {
            throw host::input_error(fmt::format("'{}' is larger than {} MiB: it is no plan.", name, most_bytes >> 20));
        }
    }
    if (std::ferror(in) != 0) {
        throw host::input_error(fmt::format("'{}' cannot be read: {}.", name, std::strerror(errno)));
    }
    return text;
}

std::string read_file(const std::string& name)
{
    if (name == "-") {
        return read_stream(stdin, "standard input");
    }
    std::FILE* in = std::fopen(name.c_str(), "rb");
    if (in == nullptr) {
        throw host::input_error(fmt::format("'{}' cannot be opened: {}.", name, std::strerror(errno)));
    }
    struct closer {
        std::FILE* file;
        ~closer() { std::fclose(file); }
    } const close_at_end{in};
    return read_stream(in, name);
}

void write_out(const std::string& path, const std::string& text)
{
    if (path.empty()) {
        if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
            throw host::input_error("Standard output cannot be written.");
        }
        return;
    }
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    if (!out) {
        throw host::input_error(fmt::format("'{}' cannot be written: {}.", path, std::strerror(errno)));
    }
}

int run(const call& c)
{
    host::graph_data data = host::read_plan(read_file(c.file));
    if (!c.options.empty()) {
        const option_result r = apply_options(c.options.c_str(), parse_options(c.options.c_str()), data.policy,
                                              data.kernels.data(), static_cast<int>(data.kernels.size()));
        if (!r.ok()) {
            throw host::input_error(host::sentence(c.options, r));
        }
    }
    const graph g = data.view();
    const host::planned plan = host::plan(g);
    const std::vector<finding> findings = host::findings_of(g, plan.view());
    const report::style style = c.out.empty() ? report::style_for(stdout) : report::style::plain;
    write_out(c.out, find_format(c.format)->write({g, plan, findings, style}));
    if (!findings.empty() && (c.format != "text" || !c.out.empty())) {
        for (const finding& f : findings) {
            fmt::print(stderr, "skt-plan: [{}] {}\n", name_of(f.broken), host::sentence(g, f));
        }
    }
    return findings.empty() ? 0 : 1;
}

} // namespace

int main(int argc, char** argv)
{
    try {
        if (argc == 2 && (std::string_view(argv[1]) == "--help" || std::string_view(argv[1]) == "-h")) {
            fmt::print("{}Formats: {}.\n", usage, format_names());
            return 0;
        }
        return run(read_call(argc, argv));
    } catch (const std::exception& e) {
        fmt::print(stderr, "skt-plan: {}\n", e.what());
        return 2;
    }
}
