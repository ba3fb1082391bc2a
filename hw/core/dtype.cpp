#include "hw/core/dtype.h"
