#include "hw/core/nearest.h"
