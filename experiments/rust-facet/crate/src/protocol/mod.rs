//! The jobs and reports of the worker protocol, in JSON.

pub mod job;
pub mod report;
