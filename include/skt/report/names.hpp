/// @file
/// Names for kernels and buffers, read off their types. Host only.
///
/// The compile-time graph carries no names, so that device builds need not make them. Here they come from the
/// compiler's own spelling of a type: unqualified, without `struct` tags, the same from g++ and clang.
#pragma once

#include <skt/describe/body.hpp>
#include <skt/describe/kernel.hpp>
#include <skt/describe/params.hpp>

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace skt::report {

namespace detail {

/// What the compiler writes for the template argument of the function whose `__PRETTY_FUNCTION__` is `text`.
inline std::string_view argument_in(std::string_view text)
{
    const std::size_t equals = text.find(" = ");
    const std::size_t end = text.rfind(']');
    return equals == std::string_view::npos ? text : text.substr(equals + 3, end - equals - 3);
}

// They answer a plain pointer: g++ would explain any alias among the types of the signature inside the text.
template <class T>
const char* spelling_of_type()
{
    return __PRETTY_FUNCTION__;
}
template <auto F>
const char* spelling_of_value()
{
    return __PRETTY_FUNCTION__;
}

inline bool is_word(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Where the last component of `text` begins: a word, with template arguments, parameters or braces behind it.
inline std::size_t component_start(const std::string& text)
{
    std::size_t at = text.size();
    int depth = 0;
    while (at > 0) {
        const char c = text[at - 1];
        depth += c == '>' || c == ')' || c == '}' ? 1 : 0;
        depth -= c == '<' || c == '(' || c == '{' ? 1 : 0;
        if (depth < 0 || (depth == 0 && !is_word(c) && c != '<' && c != '(' && c != '{')) {
            break;
        }
        --at;
    }
    return at;
}

/// Removes qualifiers, unnamed namespaces and needless blanks everywhere: `&ns::a<ns::b, 3>` becomes `a<b,3>`.
inline std::string unqualified(std::string_view text)
{
    std::string out;
    bool blank = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (text.substr(i, 2) == "::") {
            out.resize(component_start(out));
            ++i;
        } else if (c == ' ') {
            blank = true;
            continue;
        } else if (c != '&') {
            if (blank && !out.empty() && is_word(out.back()) && is_word(c)) {
                out += ' ';
            }
            out += c;
        }
        blank = false;
    }
    return out;
}

inline std::string without_template_arguments(const std::string& name)
{
    const std::size_t open = name.find('<');
    return open == std::string::npos || open == 0 ? name : name.substr(0, open);
}

} // namespace detail

/// The unqualified name of a type with its template arguments: `a::norm<8>` is "norm<8>".
template <class T>
std::string type_name()
{
    return detail::unqualified(detail::argument_in(detail::spelling_of_type<T>()));
}

/// The unqualified name of the function `F`. Template arguments are left out: clang does not tell them.
template <auto F>
std::string function_name()
{
    return detail::without_template_arguments(detail::unqualified(detail::argument_in(detail::spelling_of_value<F>())));
}

/// The name of a buffer's, scalar's or partition's tag.
template <class Tag>
struct tag_name {
    static std::string value() { return type_name<Tag>(); }
};
template <class Tag, std::int64_t Bytes>
struct tag_name<temp<Tag, Bytes>> {
    static std::string value() { return tag_name<Tag>::value(); }
};

namespace detail {

template <class Body>
struct body_name {
    static std::string value() { return type_name<Body>(); }
};
template <auto F>
struct body_name<fn<F>> {
    static std::string value() { return function_name<F>(); }
};
template <class T>
struct body_name<init_process<T>> {
    static std::string value() { return type_name<T>(); }
};
template <class T>
struct body_name<task_fn<T>> {
    static std::string value() { return type_name<T>(); }
};
template <class T>
struct body_name<functor<T>> {
    static std::string value() { return type_name<T>(); }
};

} // namespace detail

/// The name of a sub-kernel in reports. Specialise it to choose another.
/// A `skt::kernel<...>` is named after its function or class; a type of the author's own after itself.
template <class K>
struct kernel_name {
    static std::string value() { return type_name<K>(); }
};
template <class Body, class... Items>
struct kernel_name<kernel<Body, Items...>> {
    static std::string value() { return detail::body_name<Body>::value(); }
};

/// Makes names unique: the second "norm" becomes "norm#2".
inline void make_unique(std::vector<std::string>& names)
{
    std::unordered_map<std::string, int> seen;
    for (std::string& name : names) {
        const int times = ++seen[name];
        if (times > 1) {
            name += "#" + std::to_string(times);
        }
    }
}

} // namespace skt::report
