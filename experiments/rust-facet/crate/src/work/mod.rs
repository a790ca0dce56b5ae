//! What is done with a codec and a corpus: keep the output, time it, count what it allocates, keep
//! it busy.

pub mod allocation;
pub mod choose;
pub mod corpus;
pub mod exercise;
pub mod frames;
pub mod measure;
pub mod operation;
pub mod usage;
pub mod warm_up;
