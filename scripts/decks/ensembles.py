"""What the checks of ensembles share: liquid argon with smooth forces, and how far apart samples are independent."""
import numpy

BOLTZMANN = 0.00831446261815324  # kJ/mol/K
ARGON_KELVIN = 94.4
ARGON = f"""dt = 0.005
nstlist = 10
coulombtype = Cut-off
rcoulomb = 1.2
rvdw = 1.2
vdw-modifier = Force-switch
rvdw-switch = 1.0
tc-grps = System
ref-t = {ARGON_KELVIN}
gen-vel = yes
gen-temp = {ARGON_KELVIN}
gen-seed = 11
ld-seed = 5
nstenergy = 20
nstcalcenergy = 20
nstlog = 0
"""


def correlation(series):
    """Twice the integrated autocorrelation time, in samples; and no less than the time after which a ringing correlation stays below a tenth."""
    x = series - series.mean()
    lags = numpy.array([float(numpy.dot(x[: len(x) - lag], x[lag:]) / numpy.dot(x, x)) for lag in range(len(x) // 8)])
    small = numpy.flatnonzero(lags < 0.05)
    plain = 2 * (0.5 + lags[1 : small[0]].sum()) if len(small) else len(x) // 8
    window = max(1, round(2 * plain))
    quiet = next((lag for lag in range(len(lags) - window) if numpy.abs(lags[lag : lag + window]).max() < 0.1), len(lags))
    return max(1, round(plain), quiet)
