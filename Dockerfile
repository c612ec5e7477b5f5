# ontocrawl as an image: `docker build --tag ontocrawl .`, then `docker run --rm -it -v "$PWD:/data" ontocrawl demo`.
# Files are looked for, and stores written, in /data. With Neo4j: docker-compose.yml.
FROM python:3.11-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
COPY . /source
# the versions of requirements.lock (which has no extras), without their hashes, which pip would want of /source, too
RUN sed -E '/--hash=/d; s/ \\$//' /source/requirements.lock >/constraints.txt && \
    python -m venv /opt/ontocrawl && \
    /opt/ontocrawl/bin/pip install --no-cache-dir --constraint /constraints.txt '/source[languages]'

FROM python:3.11-slim
COPY --from=build /opt/ontocrawl /opt/ontocrawl
# The embedded engine brings its Java, which serves `--reason`, too.
ENV PATH=/opt/ontocrawl/bin:$PATH:/opt/ontocrawl/lib/python3.11/site-packages/arcadedb_embedded/jre/bin \
    HOME=/data
RUN useradd --uid 1000 --home-dir /data --create-home ontocrawl
USER ontocrawl
WORKDIR /data
VOLUME /data
ENTRYPOINT ["ontocrawl"]
