# Dockerfile: Debian slim with the wheel of dlpack-cts; docs/install.md says how to build and use it.
FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends python3 python3-venv && rm -rf /var/lib/apt/lists/*
COPY dlpack_cts-*.whl /opt/wheel/
RUN python3 -m venv /opt/dlpack-cts && /opt/dlpack-cts/bin/pip install --no-index --no-cache-dir /opt/wheel/dlpack_cts-*.whl
ENV PATH=/opt/dlpack-cts/bin:/usr/local/bin:/usr/bin:/bin
WORKDIR /work
ENTRYPOINT ["dlpack-cts"]
