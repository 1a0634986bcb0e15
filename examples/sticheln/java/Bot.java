import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sticheln: takes a trick that has none of its pain colour, and stays out of the others.
 *
 * <p>The highest card that is not of the lead colour takes. So to take I play high and off the lead; to stay
 * out, a low card of the lead colour.
 *
 * <p>There is no JSON in the standard library, and none is needed: every key that is looked for stands once in
 * a message, no list that is read has another in it, and moves have no characters that JSON would escape.
 */
class Bot {
    private static final Pattern TYPE = Pattern.compile("\"type\"\\s*:\\s*\"(\\w+)\"");
    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*(\\d+)");
    private static final Pattern SEAT = Pattern.compile("\"seat\"\\s*:\\s*(\\d+)");
    private static final Pattern CARD = Pattern.compile("[a-z]+-\\d+|null");

    private final int seat;

    Bot(int seat) {
        this.seat = seat;
    }

    String choose(String message) {
        List<String> legal = cards(message, "legal");
        String pain = cards(message, "pain").get(seat);
        if (pain.equals("null")) {
            return lowest(legal, Comparator.comparingInt(Bot::value));
        }
        List<String> trick = cards(message, "trick");
        if (trick.isEmpty()) {
            return lowest(legal, Comparator.comparing((String card) -> colour(card).equals(colour(pain)))
                .thenComparing(Bot::value));
        }
        String lead = colour(trick.get(0));
        boolean hurts = trick.stream().anyMatch(card -> colour(card).equals(colour(pain)));
        Comparator<String> staysOut = Comparator.comparing((String card) -> !colour(card).equals(lead))
            .thenComparing(Bot::value);
        Comparator<String> takes = Comparator.comparing((String card) -> colour(card).equals(colour(pain)))
            .thenComparing(staysOut.reversed());
        return lowest(legal, hurts ? staysOut : takes);
    }

    static String lowest(List<String> cards, Comparator<String> order) {
        return cards.stream().min(order).orElseThrow();
    }

    static String colour(String card) {
        return card.split("-")[0];
    }

    static int value(String card) {
        return Integer.parseInt(card.split("-")[1]);
    }

    /** All cards in the list of that name; null where there is none yet. */
    static List<String> cards(String message, String key) {
        String list = first(Pattern.compile("\"" + key + "\"\\s*:\\s*\\[([^\\]]*)\\]"), message);
        return CARD.matcher(list).results().map(found -> found.group()).toList();
    }

    static String first(Pattern pattern, String message) {
        Matcher matcher = pattern.matcher(message);
        return matcher.find() ? matcher.group(1) : "";
    }

    public static void main(String[] args) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        Bot bot = null;
        for (String line; (line = lines.readLine()) != null; ) {
            String type = first(TYPE, line);
            if (type.equals("start")) {
                bot = new Bot(Integer.parseInt(first(SEAT, line)));
                System.out.println("{\"type\":\"ready\"}");
            } else if (type.equals("move")) {
                System.out.println("{\"id\":" + first(ID, line) + ",\"move\":\"" + bot.choose(line) + "\"}");
            } else {
                break;
            }
        }
    }
}
