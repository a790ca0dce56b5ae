//! Counts allocations.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::operation::Operation;
use crate::format::error::BsonError;
use crate::protocol::report::AllocationResult;

/// Number of windows. The counts are exact; the second shows that they repeat.
const WINDOWS: usize = 2;

/// The system's allocator, which counts while enabled. A timed job pays for checking a flag: nine
/// instructions per allocation, less than 2 % of any operation here.
pub struct CountingAllocator;

/// Relaxed ordering everywhere, because the worker has one thread.
static IS_COUNTING: AtomicBool = AtomicBool::new(false);
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

#[inline]
fn count(size: usize) {
    if IS_COUNTING.load(Ordering::Relaxed) {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        BYTES.fetch_add(size as u64, Ordering::Relaxed);
    }
}

// SAFETY: everything is done by the system's allocator.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    /// Growing counts as an allocation of the new size, which it may be.
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size);
        unsafe { System.realloc(block, layout, new_size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }
}

/// Counts the allocations of an operation on `documents` documents, and their bytes. Needs
/// [`CountingAllocator`] to be the allocator of the process.
///
/// # Errors
/// If the operation fails.
pub fn count_allocations(
    operation: &dyn Operation,
    documents: u64,
) -> Result<AllocationResult, BsonError> {
    // The first call creates data for all later ones (plans of types), which is not counted.
    operation.run(1)?;
    let mut window_heap_bytes = Vec::with_capacity(WINDOWS);
    let mut allocations = 0.0;
    for _ in 0..WINDOWS {
        let (count, bytes) = watch_window(operation)?;
        window_heap_bytes.push(bytes as f64 / documents as f64);
        allocations = count as f64 / documents as f64;
    }
    Ok(AllocationResult {
        kind: "allocation",
        window_heap_bytes,
        off_heap_bytes: 0.0,
        allocations,
        documents_per_window: documents,
        collected_windows: 0,
        bridged: false,
    })
}

fn watch_window(operation: &dyn Operation) -> Result<(u64, u64), BsonError> {
    ALLOCATIONS.store(0, Ordering::Relaxed);
    BYTES.store(0, Ordering::Relaxed);
    IS_COUNTING.store(true, Ordering::Relaxed);
    let outcome = operation.run(1);
    IS_COUNTING.store(false, Ordering::Relaxed);
    outcome.map(|()| {
        (
            ALLOCATIONS.load(Ordering::Relaxed),
            BYTES.load(Ordering::Relaxed),
        )
    })
}
