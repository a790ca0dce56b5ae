//! What peeking returns besides the next event: the state of the parser after it, in one of two
//! forms. Peeking does not change the state, so the result is often discarded.

use bson::spec::ElementType;

/// The state of the parser.
#[derive(Debug, Clone)]
pub struct State {
    pub offset: usize,
    pub expects: Expects,
    /// Whether to return the next value as bytes, whatever its type.
    pub is_raw: bool,
    /// The open documents and arrays, the innermost last.
    pub open: Vec<Container>,
}

/// The part at `offset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expects {
    /// The outermost document.
    Root,
    /// In a document a type and a key; in an array a whole element.
    Element,
    /// The value of a key.
    Value(ElementType),
    /// The end of the bytes.
    Nothing,
}

/// An open document or array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Container {
    pub is_array: bool,
    pub end: usize,
}

/// The change of the state by an event.
#[derive(Debug, Clone, Copy)]
pub struct Delta {
    pub offset: usize,
    pub expects: Expects,
    pub nesting: Nesting,
}

/// The change of the open containers by an event.
#[derive(Debug, Clone, Copy)]
pub enum Nesting {
    Same,
    Enter(Container),
    Leave,
}

impl State {
    /// Creates the initial state.
    pub fn new() -> Self {
        Self {
            offset: 0,
            expects: Expects::Root,
            is_raw: false,
            open: Vec::new(),
        }
    }

    /// Applies the change by an event.
    pub fn apply(&mut self, delta: Delta) {
        self.offset = delta.offset;
        self.expects = delta.expects;
        self.is_raw = false;
        match delta.nesting {
            Nesting::Same => {}
            Nesting::Enter(container) => self.open.push(container),
            Nesting::Leave => {
                self.open.pop();
            }
        }
    }
}

impl Default for State {
    fn default() -> Self {
        Self::new()
    }
}

/// A form of the result of peeking.
pub trait PeekForm {
    /// Determines the state after an event.
    type Next;

    /// Creates what peeking returns besides the event.
    fn prepare(state: &State, delta: Delta) -> Self::Next;

    /// Changes `state` to the one after the event.
    fn advance(state: &mut State, next: Self::Next);
}

/// The whole state after the event, with its own stack: one allocation per peek.
pub struct CloneState;

impl PeekForm for CloneState {
    type Next = State;

    fn prepare(state: &State, delta: Delta) -> State {
        let mut next = state.clone();
        next.apply(delta);
        next
    }

    fn advance(state: &mut State, next: State) {
        *state = next;
    }
}

/// The change of the state, which is applied when the event is taken.
pub struct ReturnDelta;

impl PeekForm for ReturnDelta {
    type Next = Delta;

    fn prepare(_state: &State, delta: Delta) -> Delta {
        delta
    }

    fn advance(state: &mut State, next: Delta) {
        state.apply(next);
    }
}
