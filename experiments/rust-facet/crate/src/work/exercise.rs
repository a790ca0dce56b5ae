//! Repeats an operation while a recorder observes the process.

use std::collections::BTreeMap;
use std::time::Instant;

use super::operation::Operation;
use super::usage::{elapsed_ms, monotonic_ms};
use crate::format::error::BsonError;
use crate::protocol::job::Work;
use crate::protocol::report::{Exercise, Window};

/// Work between two readings of the clock.
const STRETCH_MS: f64 = 20.0;

/// Does the requested work on `documents` documents.
///
/// # Errors
/// If the operation fails.
pub fn exercise_operation(
    operation: &dyn Operation,
    documents: u64,
    work: Work,
) -> Result<Exercise, BsonError> {
    let stretch = match work {
        Work::Passes { passes } => passes,
        Work::Time { warm_up_ms, .. } => warm_up(operation, warm_up_ms)?,
    };
    let start_ms = monotonic_ms();
    let start = Instant::now();
    let passes = match work {
        Work::Passes { passes } => operation.run(passes).map(|()| passes)?,
        Work::Time { record_ms, .. } => run_for(operation, record_ms, stretch)?,
    };
    let wall_ms = elapsed_ms(start);
    Ok(Exercise {
        documents: passes * documents,
        wall_ms,
        window: Window {
            start_ms,
            end_ms: monotonic_ms(),
        },
        collections: BTreeMap::new(),
    })
}

/// Returns the passes per stretch at the latest pace.
fn warm_up(operation: &dyn Operation, warm_up_ms: f64) -> Result<u64, BsonError> {
    let start = Instant::now();
    let mut passes = 1;
    loop {
        let stretch_start = Instant::now();
        operation.run(passes)?;
        let pass_ms = (elapsed_ms(stretch_start) / passes as f64).max(1e-6);
        let fitting = ((STRETCH_MS / pass_ms).round() as u64).max(1);
        if elapsed_ms(start) >= warm_up_ms {
            return Ok(fitting);
        }
        passes = fitting.min(passes * 4);
    }
}

/// Returns the number of passes.
fn run_for(operation: &dyn Operation, record_ms: f64, stretch: u64) -> Result<u64, BsonError> {
    let start = Instant::now();
    let mut passes = 0;
    while elapsed_ms(start) < record_ms {
        operation.run(stretch)?;
        passes += stretch;
    }
    Ok(passes)
}
