//! The hash that tells texts apart.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// SHA-256 of a text, as 64 hexadecimal digits in lower case (FIPS 180-4).
pub fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold(String::with_capacity(64), |mut hex, byte| {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first example of FIPS 180-2, appendix B, and the empty text.
    #[test]
    fn digests_are_those_of_the_standard() {
        assert_eq!(digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(digest(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
