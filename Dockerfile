# Meldkeeper as `make serve` runs it, by a user without rights. The scores' folder is /data.
FROM python:3.13-slim AS made
COPY .requirements/run.txt /requirements.txt
RUN python -m venv /venv \
 && /venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r /requirements.txt

FROM python:3.13-slim
RUN useradd --system --uid 10001 --home-dir /data --create-home meldkeeper
COPY --from=made /venv /venv
WORKDIR /meldkeeper
COPY app app
COPY templates templates
COPY static static
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    INSTANCE_PATH=/data LISTEN=0.0.0.0:8000
USER meldkeeper
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["python", "-m", "app.commands.production"]
