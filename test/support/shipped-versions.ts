const VERSION = /"version": "([^"]+)"/;

/** Where the version stands in what is shipped. The first is that of package.json, which the service reads. */
export const SHIPPED_VERSIONS: readonly (readonly [file: string, version: RegExp])[] = [
  ['package.json', VERSION],
  ['package-lock.json', VERSION],
  ['package-lock.json', /"": \{\s+"name": "[^"]+",\s+"version": "([^"]+)"/],
  ['package-lock.json', /"clients\/typescript": \{\s+"name": "[^"]+",\s+"version": "([^"]+)"/],
  ['clients/typescript/package.json', VERSION],
  ['clients/python/pyproject.toml', /^version = "([^"]+)"$/m],
  ['deploy/helm/Chart.yaml', /^version: (\S+)$/m],
  ['deploy/helm/Chart.yaml', /^appVersion: "([^"]+)"$/m],
  ['Dockerfile', /org\.opencontainers\.image\.version="([^"]+)"/],
];
