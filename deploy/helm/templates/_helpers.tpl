{{- define "escrow.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "escrow.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "escrow.labels" -}}
{{ include "escrow.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{/* The release of the image, as a label. */}}
{{- define "escrow.release" -}}
{{- .Values.image.digest | default .Values.image.tag | default .Chart.AppVersion | trimPrefix "sha256:" | trunc 63 -}}
{{- end }}

{{/* Objects that the migration job needs exist before it: hooks run before everything else. */}}
{{- define "escrow.beforeMigration" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: "-10"
helm.sh/hook-delete-policy: before-hook-creation
{{- end }}

{{- define "escrow.image" -}}
{{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{/* Everything a role reads, in the container itself, so that a change starts new pods. */}}
{{- define "escrow.env" -}}
{{- $values := .root.Values -}}
{{- $temporal := $values.temporal -}}
{{- $plain := dict
  "ESCROW_ENVIRONMENT" "production"
  "TEMPORAL_ADDRESS" (required "temporal.address is required: host:port" $temporal.address)
  "TEMPORAL_NAMESPACE" $temporal.namespace
  "TEMPORAL_TASK_QUEUE" $temporal.taskQueue -}}
{{- if $temporal.tls.enabled }}{{ $_ := set $plain "TEMPORAL_TLS" "true" }}{{ end -}}
{{- if $temporal.tls.serverName }}{{ $_ := set $plain "TEMPORAL_TLS_SERVER_NAME" $temporal.tls.serverName }}{{ end -}}
{{- if $temporal.tls.serverCaSecret }}{{ $_ := set $plain "TEMPORAL_TLS_SERVER_CA_FILE" "/etc/escrow/temporal-ca/ca.crt" }}{{ end -}}
{{- if $temporal.tls.clientCertificateSecret }}
{{- $_ := set $plain "TEMPORAL_TLS_CLIENT_CERT_FILE" "/etc/escrow/temporal-client/tls.crt" }}
{{- $_ := set $plain "TEMPORAL_TLS_CLIENT_KEY_FILE" "/etc/escrow/temporal-client/tls.key" }}
{{- end -}}
{{- if $temporal.apiKeySecret.name }}
{{- $_ := set $plain "TEMPORAL_API_KEY_FILE" (printf "/etc/escrow/temporal-api-key/%s" $temporal.apiKeySecret.key) }}
{{- end -}}
{{- if $temporal.encryptPayloads }}{{ $_ := set $plain "TEMPORAL_ENCRYPT_PAYLOADS" "true" }}{{ end -}}
{{- range $name, $value := merge (dict) (.extra | default dict) .config (.providers | default dict) $values.config $plain }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- range .secret.variables }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ $.secret.name }}
      key: {{ . }}
{{- end }}
{{- range .secret.optionalVariables }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ $.secret.name }}
      key: {{ . }}
      optional: true
{{- end }}
{{- end }}

{{- define "escrow.volumes" -}}
- name: tmp
  emptyDir: {}
{{- with .Values.temporal.tls.serverCaSecret }}
- name: temporal-ca
  secret:
    secretName: {{ . }}
{{- end }}
{{- with .Values.temporal.tls.clientCertificateSecret }}
- name: temporal-client
  secret:
    secretName: {{ . }}
{{- end }}
{{- with .Values.temporal.apiKeySecret.name }}
- name: temporal-api-key
  secret:
    secretName: {{ . }}
{{- end }}
{{- end }}

{{- define "escrow.volumeMounts" -}}
- name: tmp
  mountPath: /tmp
{{- if .Values.temporal.tls.serverCaSecret }}
- name: temporal-ca
  mountPath: /etc/escrow/temporal-ca
  readOnly: true
{{- end }}
{{- if .Values.temporal.tls.clientCertificateSecret }}
- name: temporal-client
  mountPath: /etc/escrow/temporal-client
  readOnly: true
{{- end }}
{{- if .Values.temporal.apiKeySecret.name }}
- name: temporal-api-key
  mountPath: /etc/escrow/temporal-api-key
  readOnly: true
{{- end }}
{{- end }}

{{- define "escrow.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "escrow.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* Where the pods of a role run. Values of the role replace those for all roles. */}}
{{- define "escrow.placement" -}}
{{- $all := .root.Values -}}
{{- $own := index $all .role -}}
serviceAccountName: {{ include "escrow.name" .root }}-{{ .role }}
automountServiceAccountToken: false
{{- with $all.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.priorityClassName | default $all.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $own.nodeSelector | default $all.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.tolerations | default $all.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.affinity | default $all.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- if ne .role "migrate" }}
topologySpreadConstraints:
  {{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "escrow.selector" $ | nindent 8 }}
  {{- end }}
{{- end }}
{{- end }}
