//! What this worker is asked and what it answers, as the harness writes it in JSON.

pub mod job;
pub mod report;
