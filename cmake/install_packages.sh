# Installs what is missing of the Debian packages named in the arguments; sourced by examples/run, tests/run and .ci/run.
# POSIX sh. Does nothing, and needs no rights, when all are there.

skt_say() { printf '\n== %s\n' "$*"; }

skt_install_packages() {
    if ! command -v dpkg-query >/dev/null 2>&1; then
        skt_say "No dpkg here: taking it that these are installed under their own names: $*"
        return 0
    fi
    skt_missing=
    for skt_package in "$@"; do
        case $(dpkg-query -W -f '${Status}' "$skt_package" 2>/dev/null) in
        *"ok installed") ;;
        *) skt_missing="$skt_missing $skt_package" ;;
        esac
    done
    if [ -z "$skt_missing" ]; then
        skt_say "All packages needed are installed."
        return 0
    fi
    skt_say "Installing by apt:$skt_missing"
    if [ "$(id -u)" -eq 0 ]; then
        skt_root=
    elif command -v sudo >/dev/null 2>&1; then
        skt_root=sudo
    else
        echo "Not root and no sudo: install the packages above, then run this again." >&2
        return 1
    fi
    # Word splitting of the lists is wanted.
    # shellcheck disable=SC2086
    $skt_root env DEBIAN_FRONTEND=noninteractive apt-get -q update &&
        $skt_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends $skt_missing
}
