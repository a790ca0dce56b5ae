//! What a look at the next event gives beside it: the state that the parser has after it, in one of
//! two forms. Looking ahead leaves the state as it is, so one of them is often thrown away.

use bson::spec::ElementType;

/// Where the parser is.
#[derive(Debug, Clone)]
pub struct State {
    pub offset: usize,
    pub expects: Expects,
    /// Whether the next value is wanted as bytes, whatever it is.
    pub is_raw: bool,
    /// The documents and arrays around `offset`, the innermost last.
    pub open: Vec<Container>,
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expects {
    /// The document that is all of the bytes.
    Root,
    /// In a document a type and a key; in an array a whole element.
    Element,
    /// The value behind a key.
    Value(ElementType),
    /// Nothing.
    Nothing,
}

/// A document or an array that was entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Container {
    pub is_array: bool,
    pub end: usize,
}

/// What an event changes of the state.
#[derive(Debug, Clone, Copy)]
pub struct Delta {
    pub offset: usize,
    pub expects: Expects,
    pub nesting: Nesting,
}

/// What an event changes of the containers that are open.
#[derive(Debug, Clone, Copy)]
pub enum Nesting {
    Same,
    Enter(Container),
    Leave,
}

impl State {
    /// At the beginning of the bytes.
    pub fn new() -> Self {
        Self {
            offset: 0,
            expects: Expects::Root,
            is_raw: false,
            open: Vec::new(),
        }
    }

    /// Becomes the state after the event that `delta` is of.
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

/// A form of what a look gives.
pub trait PeekForm {
    /// Leads from the state before an event to the one after it.
    type Next;

    /// What a look hands out beside the event.
    fn prepare(state: &State, delta: Delta) -> Self::Next;

    /// Makes `state` the one after the event.
    fn advance(state: &mut State, next: Self::Next);
}

/// The whole state after the event, with a stack of its own: an allocation a look.
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

/// What the event changes of the state, which is applied where the event is taken.
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
