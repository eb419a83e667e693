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

{{- define "escrow.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
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
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "escrow.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "escrow.placement" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
