// The kernel source by itself, without host code: what the dialect check compiles.
#include "pipeline.hpp"
