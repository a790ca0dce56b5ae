package assay;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * The worker of this family: one process, one job. Reads a job (JSON) from standard input, or from
 * the file that its argument names, writes one report (JSON) to standard output and logs to standard
 * error.
 */
public final class Worker {
    private static final int FORMAT_VERSION = 11;

    private Worker() {
    }

    /**
     * @param args the file of the job, or empty
     * @throws IOException if a file of the job cannot be read or written
     */
    public static void main(final String[] args) throws IOException {
        // Output of libraries belongs to the log; standard output is only for the report.
        System.setOut(System.err);
        try {
            JSONObject job = readJob(args);
            JSONObject report = describeReport(job);
            doJob(job, report);
            writeReport(report);
        } catch (RefusedJobException | JSONException refused) {
            System.err.println("error: " + refused.getMessage());
            System.exit(1);
        }
    }

    private static JSONObject readJob(final String[] args) throws IOException {
        byte[] bytes = args.length == 0 ? System.in.readAllBytes() : Files.readAllBytes(Path.of(args[0]));
        JSONObject job = new JSONObject(new String(bytes, StandardCharsets.UTF_8));
        int formatVersion = job.getInt("formatVersion");
        if (formatVersion != FORMAT_VERSION) {
            throw new RefusedJobException(
                    "job has format " + formatVersion + ", this worker reads format " + FORMAT_VERSION);
        }
        return job;
    }

    private static void doJob(final JSONObject job, final JSONObject report) throws IOException {
        String kind = job.getString("kind");
        switch (kind) {
            case "output" -> OutputJob.produce(job, report);
            case "measure" -> {
                Decoding decoding = Decoding.prepare(job);
                report.put("measurement", MeasureJob.measure(decoding, job.getJSONObject("settings")));
                // After the last batch, so that the optimised code is checked.
                report.put("outputDigest", Frames.digest(decoding.encodeUnits()));
            }
            case "allocation" -> report.put("result", MemoryJobs.recordAllocation(Decoding.prepare(job)));
            case "collections" -> report.put("result", MemoryJobs.recordCollections(Decoding.prepare(job)));
            case "exercise" -> report.put(
                    "exercise", ExerciseJob.exercise(Decoding.prepare(job), job.getJSONObject("work")));
            default -> throw new RefusedJobException("this worker does no job of the kind '" + kind + "'");
        }
    }

    private static JSONObject describeReport(final JSONObject job) {
        JSONObject runtime = new JSONObject()
                .put("name", "java")
                .put("version", System.getProperty("java.version"))
                .put("flags", new JSONArray(ManagementFactory.getRuntimeMXBean().getInputArguments()));
        return new JSONObject()
                .put("formatVersion", FORMAT_VERSION)
                .put("jobId", job.getString("id"))
                .put("kind", job.getString("kind"))
                .put("runtime", runtime);
    }

    private static void writeReport(final JSONObject report) {
        PrintStream standardOutput =
                new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        standardOutput.print(report);
        standardOutput.flush();
    }
}
