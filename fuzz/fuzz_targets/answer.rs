//! Any bytes as the answer of a model's server: an answer or none, and the same wherever its packets end.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treaty::orchestrate::executors::answer_of;
use treaty::settings::ApiFormat;

fuzz_target!(|input: (u8, bool, &[u8])| {
    let (cut, is_stream, bytes) = input;
    let (first, second) = bytes.split_at(usize::from(cut).min(bytes.len()));
    for format in [ApiFormat::Messages, ApiFormat::ChatCompletions] {
        assert_eq!(answer_of(format, is_stream, &[bytes]), answer_of(format, is_stream, &[first, second]));
    }
});
