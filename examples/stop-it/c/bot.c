/* Stop It!: leads its lowest card, claims when it has few cards left.
 *
 * A card led pulls the higher cards of its suit after it, whoever has them. The lower my lead, the longer
 * the sequence, and the more of my own cards go along.
 *
 * There is no JSON library here, and none is needed: every key that is looked for stands once in a message,
 * and moves have no characters that JSON would escape.
 */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_CARDS = 3, CARD_LENGTH = 16 };

/* Where the value of a key begins; NULL if the message has no such key. */
static const char *value_of(const char *message, const char *key) {
    size_t length = strlen(key);
    for (const char *at = message; (at = strstr(at, key)) != NULL; at += length) {
        if (at == message || at[-1] != '"' || at[length] != '"') continue;
        const char *colon = at + length + 1 + strspn(at + length + 1, " \t");
        if (*colon == ':') return colon + 1 + strspn(colon + 1, " \t");
    }
    return NULL;
}

/* The number at this place of a list of numbers. */
static int number_at(const char *list, int place) {
    while (place-- > 0) list = strchr(list + 1, ',');
    return atoi(list + 1);
}

/* Copies the next text of a list; gives where to go on, or NULL at the list's end. */
static const char *next_text(const char *list, char *text) {
    const char *begin = list + strcspn(list, "\"]");
    if (*begin != '"') return NULL;
    size_t length = strcspn(begin + 1, "\"");
    snprintf(text, CARD_LENGTH, "%.*s", (int)length, begin + 1);
    return begin + length + 2;
}

static int value_of_card(const char *card) {
    return atoi(strchr(card, '-') + 1);
}

static void choose(const char *message, int seat, char *move) {
    const char *legal = next_text(value_of(message, "legal"), move);
    if (strchr(move, '-') == NULL) {
        int cards = number_at(value_of(message, "hand_sizes"), seat);
        strcpy(move, cards <= FEW_CARDS ? "claim" : "pass");
        return;
    }
    for (char card[CARD_LENGTH]; (legal = next_text(legal, card)) != NULL;)
        if (value_of_card(card) < value_of_card(move)) strcpy(move, card);
}

int main(void) {
    char *line = NULL, move[CARD_LENGTH];
    size_t size = 0;
    int seat = 0;
    while (getline(&line, &size, stdin) > 0) {
        const char *type = value_of(line, "type");
        if (strncmp(type, "\"start\"", 7) == 0) {
            seat = atoi(value_of(line, "seat"));
            puts("{\"type\":\"ready\"}");
        } else if (strncmp(type, "\"move\"", 6) == 0) {
            choose(line, seat, move);
            printf("{\"id\":%d,\"move\":\"%s\"}\n", atoi(value_of(line, "id")), move);
        } else {
            break;
        }
        fflush(stdout); /* an answer that stays in the buffer is none */
    }
    free(line);
}
