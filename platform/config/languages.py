"""What pages call the languages that bots are written in."""

LANGUAGES = {
    "c": "C",
    "cpp": "C++",
    "go": "Go",
    "java": "Java",
    "javascript": "JavaScript",
    "python": "Python",
    "rust": "Rust",
}
# By the end of a file's name, for pages that say what they take it for; workers decide.
ENDINGS = {
    ".c": "c",
    ".cc": "cpp",
    ".cjs": "javascript",
    ".cpp": "cpp",
    ".cxx": "cpp",
    ".go": "go",
    ".java": "java",
    ".js": "javascript",
    ".mjs": "javascript",
    ".py": "python",
    ".rs": "rust",
}
