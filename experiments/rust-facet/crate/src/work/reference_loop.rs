//! Reference loop: fixed work whose duration shows the current speed of the processor, which varies
//! with its frequency and with neighbours on a shared core. Same arithmetic as that of the JavaScript
//! worker: six independent chains of integers in registers, without memory access.

use std::hint::black_box;
use std::time::Instant;

/// Rounds of arithmetic per reading; some 90 µs.
const ROUNDS: i32 = 50_000;

/// Runs the loop once and returns its duration in nanoseconds.
pub fn time_reference_loop() -> f64 {
    let start = Instant::now();
    black_box(turn(black_box(ROUNDS)));
    start.elapsed().as_secs_f64() * 1e9
}

#[inline(never)]
fn turn(rounds: i32) -> i32 {
    let [mut a, mut b, mut c, mut d, mut e, mut f] = [1_i32, 2, 3, 4, 5, 6];
    for round in 0..rounds {
        a = a.wrapping_mul(1_664_525).wrapping_add(round);
        b = b.wrapping_mul(22_695_477).wrapping_add(round);
        c = c.wrapping_mul(69_069).wrapping_add(round);
        d = (d ^ (d << 1)).wrapping_add(round);
        e = e.wrapping_add(e >> 3) ^ round;
        f = (f ^ (f >> 5)).wrapping_add(round);
    }
    a ^ b ^ c ^ d ^ e ^ f
}
