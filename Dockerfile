# The image of Parley: a process without a name for its user, whose only writable place is /data. docs/operations.md
# tells how to run it. All stages but the last run on the processor of the machine that builds: an image for another one
# needs no emulation.
FROM --platform=$BUILDPLATFORM docker.io/library/node:26.10.0-trixie-slim AS sources
WORKDIR /parley
COPY package.json package-lock.json ./

FROM sources AS modules
ARG TARGETARCH
# The library for pictures is a program of its own for each processor. Maps and types are two fifths of the files, and
# nothing reads them here.
RUN --mount=type=cache,target=/root/.npm \
    npm ci --omit=dev --ignore-scripts --os=linux --libc=glibc --cpu="$(echo "$TARGETARCH" | sed s/amd64/x64/)" \
 && find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \) -delete

FROM sources AS built
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY . .
RUN npm run build && npm run build:console && npm run build:widget \
 && chmod 755 dist/main.js && mkdir bin && ln -s ../dist/main.js bin/parley \
 && mkdir -p /volumes/data && chmod 770 /volumes/data

FROM docker.io/library/node:26.10.0-trixie-slim
LABEL org.opencontainers.image.title="Parley" \
      org.opencontainers.image.description="A self-hosted conversational-agent service" \
      org.opencontainers.image.version="0.2.0" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.documentation="/parley/docs/operations.md"
WORKDIR /parley
COPY --from=modules /parley/node_modules node_modules
COPY --from=built /parley/package.json /parley/README.md /parley/LICENSE ./
COPY --from=built /parley/docs docs
COPY --from=built /parley/console/dist console/dist
COPY --from=built /parley/widget/dist widget/dist
COPY --from=built /parley/dist dist
COPY --from=built /parley/bin bin
# Whoever runs it, whatever their number: the group 0 may write, as OpenShift expects.
COPY --from=built --chown=10001:0 /volumes/ /
ENV PATH=/parley/bin:$PATH PARLEY_HOST=0.0.0.0 PARLEY_DATA_DIR=/data
EXPOSE 8080
VOLUME /data
USER 10001:0
# Not /readyz: a database that is away for a moment is no reason to replace a process.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", \
  "fetch(`http://127.0.0.1:${process.env.PARLEY_PORT || 8080}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
# Node is the first process, and ends at SIGTERM by itself.
ENTRYPOINT ["parley"]
CMD ["serve"]
