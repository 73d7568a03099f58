//! How work grows with its input.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a suite reads the time that its own thread has used"
)]

use std::{
    fs,
    sync::{LazyLock, Mutex, PoisonError},
    thread,
    time::Instant,
};

/// Seconds of this thread's own time where the system counts it, else those of the clock.
fn own_time() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    // The system brings its count up to date when a thread makes way, else only some hundred times a second.
    thread::yield_now();
    let own = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = own.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64(), |time| time / 1e9)
}

/// How often as long sixteen times as much takes. What is linear takes about 16, what is quadratic 256.
///
/// One at a time: where two take memory, each waits for the other in the system, in time that counts as its own.
pub fn growth(small: usize, run: impl Fn(usize)) -> f64 {
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut ratio = f64::INFINITY;
    // What a busy machine adds once it does not add three times.
    for _ in 0..3 {
        ratio = growth_once(small, &run).min(ratio);
        if ratio < MOST_GROWTH {
            break;
        }
    }
    ratio
}

fn growth_once(small: usize, run: &impl Fn(usize)) -> f64 {
    let time = |size| {
        let start = own_time();
        run(size);
        own_time() - start
    };
    let least = |size| (0..3).map(|_| time(size)).fold(f64::INFINITY, f64::min);
    // A step of the clock more, so that nothing is divided by next to nothing.
    least(16 * small) / (least(small) + 0.001)
}

/// What [`growth`] says of work that is linear stays below it, by far, and of quadratic work above.
pub const MOST_GROWTH: f64 = 80.0;
