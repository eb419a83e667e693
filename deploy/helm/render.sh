#!/usr/bin/env bash
# Renders the chart for each file of ci/ into rendered/. Each rendering names the chart it was made from, by a hash, so that the
# tests notice a stale one on machines without helm. Needs helm 3 or later: go install helm.sh/helm/v3/cmd/helm@latest
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")"

hash() {
  { cat Chart.yaml values.yaml files/* templates/* "$1"; } | sha256sum | cut -d ' ' -f 1
}

for values in ci/*.yaml; do
  out="rendered/$(basename "$values")"
  helm lint --strict --values "$values" . >&2
  {
    echo "# Rendered by render.sh from $values. Do not edit. Chart: sha256:$(hash "$values")"
    helm template escrow . --namespace escrow --kube-version 1.34 --values "$values"
  } >"$out.tmp"
  mv "$out.tmp" "$out"
done
