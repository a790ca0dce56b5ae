//! Passes the version of the compiler to the worker.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = std::env::var("RUSTC").expect("cargo names the compiler");
    let output = Command::new(rustc)
        .arg("--version")
        .output()
        .expect("the compiler prints its version");
    let output = String::from_utf8_lossy(&output.stdout);
    let version = output.split(' ').nth(1).unwrap_or("unknown");
    println!("cargo::rustc-env=COMPILER_VERSION={version}");
}
