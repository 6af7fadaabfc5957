// SPDX-License-Identifier: MIT
// Counts words in a hash map, sorts them, and catches a panic.
use std::collections::HashMap;

fn main() {
    let mut seen: HashMap<String, u32> = HashMap::new();
    for i in 0..20000u32 {
        *seen.entry(format!("word{}", i.wrapping_mul(2654435761) >> 24)).or_insert(0) += 1;
    }
    let mut rows: Vec<_> = seen.into_iter().collect();
    rows.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    println!("{} words, most often {} {}", rows.len(), rows[0].0, rows[0].1);
    std::process::exit(7);
}
