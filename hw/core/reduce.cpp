#include "hw/core/reduce.h"
