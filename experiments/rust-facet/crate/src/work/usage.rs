//! Resource usage of this process, from the kernel.

use std::fs;
use std::mem::MaybeUninit;
use std::time::Instant;

use crate::protocol::report::Usage;

/// Measures the resource usage between its creation and its end.
pub struct Watch {
    before: libc::rusage,
    start: Instant,
}

impl Watch {
    /// Starts.
    pub fn begin() -> Self {
        Self {
            before: read_usage(),
            start: Instant::now(),
        }
    }

    /// Returns the usage since the start.
    pub fn end(self) -> Usage {
        let wall_ms = elapsed_ms(self.start);
        let (before, after) = (self.before, read_usage());
        Usage {
            cpu_user_ms: to_ms(after.ru_utime) - to_ms(before.ru_utime),
            cpu_system_ms: to_ms(after.ru_stime) - to_ms(before.ru_stime),
            wall_ms,
            voluntary_context_switches: after.ru_nvcsw - before.ru_nvcsw,
            involuntary_context_switches: after.ru_nivcsw - before.ru_nivcsw,
            ..Usage::default()
        }
    }
}

/// Milliseconds since the start.
pub fn elapsed_ms(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

/// Asks Linux to prioritize the session of this worker; the harness starts it in a new one. Returns
/// whether it was granted, which requires root.
pub fn raise_autogroup() -> bool {
    fs::write("/proc/self/autogroup", "-20").is_ok()
}

/// Milliseconds of the clock that external profilers can use.
pub fn monotonic_ms() -> f64 {
    let mut now = MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: the call fills the struct that it is given; with this clock it cannot fail.
    let now = unsafe {
        libc::clock_gettime(libc::CLOCK_MONOTONIC, now.as_mut_ptr());
        now.assume_init()
    };
    now.tv_sec as f64 * 1e3 + now.tv_nsec as f64 / 1e6
}

fn read_usage() -> libc::rusage {
    let mut usage = MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the call fills the struct that it is given; of the process itself it cannot fail.
    unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    }
}

fn to_ms(time: libc::timeval) -> f64 {
    time.tv_sec as f64 * 1e3 + time.tv_usec as f64 / 1e3
}
