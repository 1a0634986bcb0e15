// Color Stock: puts its cards onto the lowest stacks.
//
// A card in my hand is worth the height of its colour's stack. The cards that I put down are lost to me, so they
// are those that are worth least now.
//
// There is no JSON library here, and none is needed: every key that is looked for stands once in a message, and
// moves have no characters that JSON would escape.

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

using std::string;

const string BLANK = " \t";

// The message from the value of a key on; empty if it has no such key.
string value_of(const string &message, const string &key) {
    const string quoted = '"' + key + '"';
    for (auto at = message.find(quoted); at != string::npos; at = message.find(quoted, at + 1)) {
        const auto colon = message.find_first_not_of(BLANK, at + quoted.size());
        if (message[colon] == ':') return message.substr(message.find_first_not_of(BLANK, colon + 1));
    }
    return "";
}

// The texts of a list.
std::vector<string> texts(const string &list) {
    std::vector<string> found;
    const auto end = list.find(']');
    for (auto begin = list.find('"'); begin < end;) {
        const auto close = list.find('"', begin + 1);
        found.push_back(list.substr(begin + 1, close - begin - 1));
        begin = list.find('"', close + 1);
    }
    return found;
}

// What the two cards of a move are worth as long as I keep them.
int worth(const string &move, const string &stacks) {
    const auto plus = move.find('+');
    const auto height = [&](const string &colour) { return std::stoi(value_of(stacks, colour)); };
    return height(move.substr(0, plus)) + height(move.substr(plus + 1));
}

string choose(const string &message) {
    const string stacks = value_of(message, "stacks");
    const auto legal = texts(value_of(message, "legal"));
    return *std::min_element(legal.begin(), legal.end(), [&](const string &one, const string &other) {
        return worth(one, stacks) < worth(other, stacks);
    });
}

int main() {
    for (string line; std::getline(std::cin, line);) {
        const string type = value_of(line, "type");
        if (type.rfind("\"start\"", 0) == 0) {
            std::cout << "{\"type\":\"ready\"}" << std::endl; // endl sends the line off
        } else if (type.rfind("\"move\"", 0) == 0) {
            const int id = std::stoi(value_of(line, "id"));
            std::cout << "{\"id\":" << id << ",\"move\":\"" << choose(line) << "\"}" << std::endl;
        } else {
            break;
        }
    }
}
