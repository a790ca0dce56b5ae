//! Times an operation: warm-up until it has settled, then batches with only a reading of the reference
//! loop in between.

use std::time::Instant;

use super::operation::Operation;
use super::reference_loop::time_reference_loop;
use super::usage::{Watch, elapsed_ms, raise_autogroup};
use super::warm_up::WarmUp;
use crate::format::error::BsonError;
use crate::protocol::job::MeasureSettings;
use crate::protocol::report::Measurement;

/// Times an operation on `documents` documents.
///
/// # Errors
/// If the operation fails.
pub fn measure_operation(
    operation: &dyn Operation,
    documents: u64,
    settings: MeasureSettings,
) -> Result<Measurement, BsonError> {
    let autogroup_raised = raise_autogroup();
    let warm_up = warm_up_operation(operation, documents, settings)?;
    let passes = warm_up.passes_in(settings.batch_ms);

    let mut batch_ms = vec![0.0; settings.batch_count];
    let mut reference_loop_ns = vec![0.0; settings.batch_count + 1];
    let watch = Watch::begin();
    for batch in 0..settings.batch_count {
        reference_loop_ns[batch] = time_reference_loop();
        let start = Instant::now();
        operation.run(passes)?;
        batch_ms[batch] = elapsed_ms(start);
    }
    reference_loop_ns[settings.batch_count] = time_reference_loop();
    let mut usage = watch.end();
    usage.autogroup_raised = autogroup_raised;

    let documents_per_batch = passes * documents;
    Ok(Measurement {
        batch_ns_per_document: batch_ms
            .iter()
            .map(|ms| ms * 1e6 / documents_per_batch as f64)
            .collect(),
        documents_per_batch,
        reference_loop_ns,
        warm_up: warm_up.describe(),
        usage,
    })
}

fn warm_up_operation(
    operation: &dyn Operation,
    documents: u64,
    settings: MeasureSettings,
) -> Result<WarmUp, BsonError> {
    let mut warm_up = WarmUp::new(settings, documents);
    while !warm_up.is_done {
        let start = Instant::now();
        operation.run(warm_up.next_passes)?;
        warm_up.add_chunk(elapsed_ms(start));
    }
    Ok(warm_up)
}
