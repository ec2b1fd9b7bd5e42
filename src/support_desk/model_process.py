"""The process in which a language model writes one reply; `models.live` starts it, and may kill it."""

import json
import sys
from secrets import token_hex

import xllamacpp

CONTEXT = 4096  # tokens that the model can hold, request and reply together


def main() -> None:
    """One order in on standard input, one answer out on standard output, both JSON in ASCII."""
    order = json.load(sys.stdin)
    params = xllamacpp.CommonParams()
    params.model.path = order["model"]
    params.n_ctx = CONTEXT
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1    # more threads add in another order
    params.n_parallel = 1
    params.cache_prompt = params.warmup = params.ui = False
    params.verbosity = -1                                                # not a word on the console
    params.api_keys = [token_hex()]                                      # it listens on loopback; nobody has the key
    try:
        answer = xllamacpp.Server(params).handle_chat_completions(order["request"])
    except RuntimeError:
        answer = {"error": "its file cannot be loaded"}
    if "exceed_context_size_error" in str(answer.get("error")):
        answer = {"error": "the request is too long for it"}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
