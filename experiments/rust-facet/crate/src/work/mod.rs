//! The tasks of a job: keep the output, measure time, count allocations, exercise.

pub mod allocation;
pub mod choose;
pub mod corpus;
pub mod exercise;
pub mod frames;
pub mod measure;
pub mod operation;
pub mod reference_loop;
pub mod usage;
pub mod warm_up;
