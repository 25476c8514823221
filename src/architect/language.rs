//! Whether the text is in a language whose sentences are read: that is English alone.

/// Words that every English text of some length has, and that are no words of its neighbours.
const ENGLISH: [&str; 14] =
    ["the", "and", "of", "to", "with", "for", "must", "should", "shall", "that", "this", "can", "when", "each"];
/// Words that every text of some length in Spanish, Portuguese, French, Italian, German, Dutch or Polish has.
const OTHERS: [&str; 38] = [
    "de", "la", "el", "los", "las", "que", "del", "para", "por", "con", "una", "um", "uma", "dos", "das", "com", "não",
    "le", "les", "des", "et", "une", "est", "pour", "il", "di", "che", "und", "der", "die", "das", "ist", "het", "een",
    "van", "się", "oraz", "jest",
];
/// Words of a text below which nothing is told of it.
const ENOUGH: usize = 40;

/// What is to be said of a text in another language: sentences are not read, and so what they say is missing. None for an
/// English one, and for one that is too short to tell.
pub(super) fn not_english(text: &str) -> Option<String> {
    let (mut words, mut english, mut others, mut foreign) = (0_usize, 0_usize, 0_usize, 0_usize);
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        for word in line.split(|c: char| !c.is_alphabetic()).filter(|it| !it.is_empty()) {
            let word = word.to_lowercase();
            // Scripts without spaces between words: two characters are about one word.
            let wide = word.chars().filter(|c| !is_latin(*c)).count();
            let count = if wide > 0 { wide.div_ceil(2) } else { 1 };
            words += count;
            foreign += if wide > 0 { count } else { 0 };
            english += usize::from(ENGLISH.contains(&word.as_str()));
            others += usize::from(OTHERS.contains(&word.as_str()));
        }
    }
    let is_other = others > english * 2 && others * 20 >= words;
    let is_foreign = foreign * 3 >= words && english * 20 < words;
    (words >= ENOUGH && (is_other || is_foreign)).then(|| {
        "WARNING: the text is not in English: of other languages tables, code and endpoints are read, and sentences are not"
            .to_owned()
    })
}

/// A letter of the scripts that European languages with Latin letters have.
fn is_latin(c: char) -> bool {
    c.is_ascii() || ('\u{c0}'..='\u{24f}').contains(&c) || ('\u{1e00}'..='\u{1eff}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_languages_are_told_and_english_is_not() {
        let told = |text: &str| not_english(&text.repeat(8)).is_some();
        assert!(told("El sistema debe permitir a los usuarios crear nuevas tareas dentro de un proyecto. "));
        assert!(told(
            "Das System muss es den Benutzern erlauben, neue Aufgaben anzulegen, und die Liste der Aufgaben ist sichtbar. "
        ));
        assert!(told("スタッフのシフト管理、勤怠報告、案件管理を一元化。"));
        assert!(told("Система должна позволять пользователям создавать новые задачи. "));
        assert!(!told("The system must allow users to create new tasks within a project. "));
        assert!(
            !told("- User login\n- Create product\n- View orders\n- Delete account\n"),
            "a list has few small words"
        );
        assert!(!told("- Caf\u{e9} Ren\u{e9} takes orders from the guests of La Plaza and El Sol\n"));
        assert!(!told("| id | de_name |\n|---|---|\n| 1 | x |\n```\nde la el los las que\n```\n"), "code is no text");
    }

    #[test]
    fn nothing_is_told_of_a_few_words() {
        assert_eq!(not_english("El sistema de la tienda"), None);
    }
}
