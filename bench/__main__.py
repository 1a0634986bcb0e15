"""All benchmarks, one after the other: `make bench`."""

from bench import engine, examples, live, match, ratings, site

if __name__ == "__main__":
    for part in (engine, examples, match, ratings, site, live):
        print(f"\n== {part.__name__} ==", flush=True)
        part.main()
