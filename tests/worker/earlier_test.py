# tests/worker/earlier_test.py: earlier exchanges are accused only of what the exchange does not show without them.
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "runner"))
import program  # noqa: E402

SAME_ADDRESS = "c-abi/own/same-struct-address-is-another-tensor"
IGNORES_OFFSETS = """
DLTensor.byte_offset = property(lambda self: 0, lambda self, value: None)
"""
# Each simpler exchange with a versioned struct ends the process that looks for the cause.
DIES_OF_VERSIONED = program.dies_if("name == VERSIONED")


class AnEarlierTensorAtTheAddress(unittest.TestCase):
    def causes(self, deed):
        with tempfile.TemporaryDirectory() as folder:
            adapter = program.toy_that(folder, deed, ["consumer"])
            ran, results = program.judge(adapter=adapter, select=[SAME_ADDRESS], more=("--sweep", "0", "--python", sys.executable))
        self.assertIsNotNone(results, ran.err)
        return {(cause["id"], cause["rule"]) for cause in results.causes if cause["verdict"] == "FAIL"}

    def test_is_not_accused_of_an_ignored_offset(self):
        self.assertEqual(self.causes(IGNORES_OFFSETS), {("import/place/byte-offset", "C-DATA-01")})

    def test_is_not_accused_if_each_simpler_exchange_crashes(self):
        self.assertEqual(self.causes(IGNORES_OFFSETS + DIES_OF_VERSIONED), {("import/place/byte-offset+legacy", "C-DATA-01")})

    def test_is_accused_of_what_the_tensor_alone_does_not_show(self):
        ran = program.run("mutants", "recognises-struct-addresses", "--json", "--select", SAME_ADDRESS)
        causes = json.loads(ran.out)["mutants"][0]["causes"]
        self.assertEqual([(cause["id"], cause["rule"]) for cause in causes], [("earlier-exchanges", "C-OWN-21")], ran.err)


if __name__ == "__main__":
    unittest.main()
