package assay;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The measured loop of the worker under JMH, as a cross-check. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class DecodeBenchmark {
    /** The kind of buffer. */
    @Param({"heap", "netty-composite"})
    public String buffer;

    private Decoding decoding;

    /**
     * Reads the file in the property `assay.corpus`.
     *
     * @throws IOException when it cannot be read
     */
    @Setup
    public void lay() throws IOException {
        Variant variant = new Variant("library", null, null, buffer);
        decoding = new Decoding("decode", Frames.readDocuments(Path.of(System.getProperty("assay.corpus"))), variant);
    }

    /** One pass over the corpus; the last result is kept. */
    @Benchmark
    public void decode() {
        decoding.run(1);
    }
}
