//! Passes the version of the compiler to the worker.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = std::env::var("RUSTC").expect("cargo names the compiler");
    let told = Command::new(rustc)
        .arg("--version")
        .output()
        .expect("the compiler tells its version");
    let told = String::from_utf8_lossy(&told.stdout);
    let version = told.split(' ').nth(1).unwrap_or("unknown");
    println!("cargo::rustc-env=COMPILER_VERSION={version}");
}
