//! Paces a warm-up like the harness, with the same chunks and the same definition of settled.

use crate::protocol::job::MeasureSettings;
use crate::protocol::report::WarmUpReport;

/// Target length of a chunk.
const CHUNK_MS: f64 = 8.0;
/// Settled: the last chunk is within this share of the one two before it.
const SETTLED_SHARE: f64 = 0.05;
/// Fewer chunks are not enough for that comparison.
const MIN_CHUNKS: usize = 4;
/// A chunk has at most this many times the passes of the one before, because early passes are slow.
const MAX_GROWTH: u64 = 8;

/// Decides the passes of the next chunk and the end of the warm-up. The caller runs a chunk of
/// `next_passes`, adds its time and repeats until `is_done`.
pub struct WarmUp {
    settings: MeasureSettings,
    documents: u64,
    pub next_passes: u64,
    pub is_done: bool,
    pass_ms: f64,
    ms: f64,
    calls: u64,
    /// Milliseconds per pass, by chunk.
    figures: Vec<f64>,
}

impl WarmUp {
    /// Creates the warm-up of passes over `documents` documents.
    pub fn new(settings: MeasureSettings, documents: u64) -> Self {
        Self {
            settings,
            documents,
            next_passes: 1,
            is_done: false,
            pass_ms: 0.0,
            ms: 0.0,
            calls: 0,
            figures: Vec::new(),
        }
    }

    /// Adds the time of a chunk of `next_passes`.
    pub fn add_chunk(&mut self, wall_ms: f64) {
        let passes = self.next_passes;
        self.ms += wall_ms;
        self.calls += passes * self.documents;
        self.pass_ms = (wall_ms / passes as f64).max(1e-6);
        self.figures.push(wall_ms / passes as f64);
        let is_enough =
            self.ms >= self.settings.warm_up_ms && self.calls as f64 >= self.settings.warm_up_calls;
        self.is_done = (is_enough && self.has_settled()) || self.ms >= self.settings.max_warm_up_ms;
        self.next_passes = self.passes_in(CHUNK_MS).min(passes * MAX_GROWTH);
    }

    /// Passes that take this long at the pace of the last chunk; at least one.
    pub fn passes_in(&self, ms: f64) -> u64 {
        ((ms / self.pass_ms).round() as u64).max(1)
    }

    fn has_settled(&self) -> bool {
        let count = self.figures.len();
        if count < MIN_CHUNKS {
            return false;
        }
        let (last, earlier) = (self.figures[count - 1], self.figures[count - 3]);
        (last - earlier).abs() <= SETTLED_SHARE * earlier
    }

    /// The summary for the report.
    pub fn describe(&self) -> WarmUpReport {
        WarmUpReport {
            ms: self.ms,
            calls: self.calls,
            settled: self.has_settled(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: MeasureSettings = MeasureSettings {
        warm_up_ms: 30.0,
        warm_up_calls: 0.0,
        max_warm_up_ms: 100.0,
        batch_count: 1,
        batch_ms: 1.0,
    };

    fn warm_up_with(chunks: impl IntoIterator<Item = f64>) -> WarmUp {
        let mut warm_up = WarmUp::new(SETTINGS, 3);
        for ms_a_pass in chunks {
            let wall_ms = ms_a_pass * warm_up.next_passes as f64;
            warm_up.add_chunk(wall_ms);
        }
        warm_up
    }

    #[test]
    fn chunks_grow_to_their_length() {
        assert_eq!(warm_up_with([0.1]).next_passes, 8);
        assert_eq!(warm_up_with([0.1, 0.1]).next_passes, 64);
        assert_eq!(warm_up_with([0.1, 0.1, 0.1]).next_passes, 80);
    }

    #[test]
    fn a_steady_pace_settles_after_the_least_time() {
        let chunks = [0.1; 6];
        assert!(!warm_up_with(chunks[..5].iter().copied()).is_done);
        let done = warm_up_with(chunks);
        assert!(done.is_done);
        assert!(done.describe().settled);
        assert_eq!(done.describe().calls, 3 * (1 + 8 + 64 + 80 * 3));
    }

    #[test]
    fn an_unsteady_pace_ends_at_the_most() {
        let unsteady = warm_up_with([10.0, 20.0, 30.0, 40.0]);
        assert!(unsteady.is_done);
        assert!(!unsteady.describe().settled);
    }
}
