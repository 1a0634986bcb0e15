// Color Stock: puts down cards of the colours that are worth least in its hand.
//
// A card in my hand is worth the height of its colour's stack, so a colour is worth its cards times that height.
// I keep the colours that are worth much.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
)

type message struct {
	Type  string   `json:"type"`
	ID    int      `json:"id"`
	Legal []string `json:"legal"`
	View  struct {
		Hand   []string       `json:"hand"`
		Stacks map[string]int `json:"stacks"`
	} `json:"view"`
}

type ready struct {
	Type string `json:"type"`
}

type answer struct {
	ID   int    `json:"id"`
	Move string `json:"move"`
}

func choose(asked message) string {
	best := asked.Legal[0]
	for _, move := range asked.Legal {
		if worth(move, asked) < worth(best, asked) {
			best = move
		}
	}
	return best
}

// worth is what the colours of a move are worth in my hand.
func worth(move string, asked message) int {
	sum := 0
	for _, colour := range strings.Split(move, "+") {
		sum += count(asked.View.Hand, colour) * asked.View.Stacks[colour]
	}
	return sum
}

func count(cards []string, colour string) int {
	found := 0
	for _, card := range cards {
		if card == colour {
			found++
		}
	}
	return found
}

func main() {
	lines := bufio.NewReader(os.Stdin) // unlike a Scanner it takes lines of any length
	answers := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var said message
		if err := json.Unmarshal(line, &said); err != nil {
			panic(err)
		}
		switch said.Type {
		case "start":
			answers.Encode(ready{"ready"})
		case "move":
			answers.Encode(answer{said.ID, choose(said)})
		default:
			return
		}
	}
}
