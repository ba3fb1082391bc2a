#include "hw/core/records.h"
