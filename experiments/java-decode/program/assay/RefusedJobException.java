package assay;

/** A job that this worker cannot do; the message is for the user. */
final class RefusedJobException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedJobException(final String message) {
        super(message);
    }
}
