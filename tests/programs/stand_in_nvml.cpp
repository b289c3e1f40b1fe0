// Stands in for the driver's management library: one emulated GPU that takes 250 W.
#include <chrono>
#include <cstring>

extern "C" {
int nvmlInit_v2() { return 0; }
int nvmlSystemGetDriverVersion(char* text, unsigned length)
{
    std::strncpy(text, "570.86.15", length);
    return 0;
}
int nvmlDeviceGetHandleByUUID(char const* uuid, void** device)
{
    static int one = 0;
    *device = &one;
    return std::strncmp(uuid, "GPU-", 4) == 0 ? 0 : 6;
}
int nvmlDeviceGetPowerManagementLimit(void*, unsigned* milliwatts)
{
    *milliwatts = 300000;
    return 0;
}
int nvmlDeviceGetMaxClockInfo(void*, int, unsigned*) { return 3; } // not supported
int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules)
{
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    *millijoules = static_cast<unsigned long long>(250e3 * seconds);
    return 0;
}
}
