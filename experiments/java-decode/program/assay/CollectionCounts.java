package assay;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import org.json.JSONObject;

/** Garbage collections so far, by the name of the collector: `Copy` (young), `MarkSweepCompact`. */
record CollectionCounts(Map<String, long[]> countAndMs) {
    static CollectionCounts now() {
        Map<String, long[]> kinds = new LinkedHashMap<>();
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            kinds.put(collector.getName(), new long[] {collector.getCollectionCount(), collector.getCollectionTime()});
        }
        return new CollectionCounts(kinds);
    }

    CollectionCounts since(final CollectionCounts before) {
        Map<String, long[]> kinds = new LinkedHashMap<>();
        countAndMs.forEach((name, counted) -> {
            long[] earlier = before.countAndMs.get(name);
            kinds.put(name, new long[] {counted[0] - earlier[0], counted[1] - earlier[1]});
        });
        return new CollectionCounts(kinds);
    }

    long count() {
        return countAndMs.values().stream().mapToLong(counted -> counted[0]).sum();
    }

    long ms() {
        return countAndMs.values().stream().mapToLong(counted -> counted[1]).sum();
    }

    /** @return count and milliseconds by kind, without kinds that did not occur */
    JSONObject describe() {
        JSONObject kinds = new JSONObject();
        countAndMs.forEach((name, counted) -> {
            if (counted[0] > 0) {
                kinds.put(name, new JSONObject().put("count", counted[0]).put("ms", counted[1]));
            }
        });
        return kinds;
    }
}
