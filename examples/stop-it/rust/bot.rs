//! Stop It!: leads where most of its own cards follow, claims when somebody is nearly out.
//!
//! A card led pulls the higher cards of its suit after it, whoever has them. So I count, for every card,
//! how many of mine would go along, and lead the one with most.
//!
//! There is no JSON in the standard library, and none is needed: every key that is looked for stands once
//! in a message, and moves have no characters that JSON would escape.

use std::io::BufRead;

const FEW_CARDS: usize = 3;

/// The message from the value of a key on; None if it has no such key.
fn value_of<'a>(message: &'a str, key: &str) -> Option<&'a str> {
    let quoted = format!("\"{}\"", key);
    message
        .match_indices(&quoted)
        .find_map(|(at, _)| message[at + quoted.len()..].trim_start().strip_prefix(':'))
        .map(str::trim_start)
}

fn number(text: &str) -> usize {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().unwrap()
}

/// What stands between the brackets of a list without lists in it, item by item.
fn items(list: &str) -> impl Iterator<Item = &str> {
    let inside = list.trim_start_matches('[').split(']').next().unwrap();
    inside.split(',').map(|item| item.trim().trim_matches('"'))
}

fn suit_and_value(card: &str) -> (&str, usize) {
    let (suit, value) = card.split_once('-').unwrap();
    (suit, number(value))
}

/// How many cards of mine go if this one is led and nobody stops it: those not below it in its suit.
fn go_along(card: &str, hand: &[&str]) -> usize {
    let (suit, value) = suit_and_value(card);
    let cards = hand.iter().map(|other| suit_and_value(other));
    cards.filter(|other| other.0 == suit && other.1 >= value).count()
}

fn choose(message: &str, seat: usize) -> String {
    let legal: Vec<&str> = items(value_of(message, "legal").unwrap()).collect();
    if legal.contains(&"claim") {
        let sizes = items(value_of(message, "hand_sizes").unwrap()).map(number);
        let danger = sizes.enumerate().any(|(other, cards)| other != seat && cards <= FEW_CARDS);
        return if danger { "claim" } else { "pass" }.to_string();
    }
    legal.iter().max_by_key(|card| go_along(card, &legal)).unwrap().to_string()
}

fn main() {
    let mut seat = 0;
    for line in std::io::stdin().lock().lines().map(Result::unwrap) {
        let kind = value_of(&line, "type").unwrap();
        if kind.starts_with("\"start\"") {
            seat = number(value_of(&line, "seat").unwrap());
            println!("{{\"type\":\"ready\"}}");
        } else if kind.starts_with("\"move\"") {
            let id = number(value_of(&line, "id").unwrap());
            println!("{{\"id\":{},\"move\":\"{}\"}}", id, choose(&line, seat));
        } else {
            break;
        }
    }
}
