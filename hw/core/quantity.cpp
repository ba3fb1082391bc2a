#include "hw/core/quantity.h"
