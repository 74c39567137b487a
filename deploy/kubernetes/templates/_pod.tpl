{{- define "parley.labels" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* The labels of the pods that answer requests, by which services find them. */}}
{{- define "parley.serverLabels" -}}
{{ include "parley.labels" . }}
app.kubernetes.io/component: server
{{- end }}

{{- /* What every object carries. */}}
{{- define "parley.metadata" -}}
labels:
  {{- include "parley.labels" . | nindent 2 }}
  app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
  app.kubernetes.io/managed-by: {{ .Release.Service }}
  helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- /* What the pods of the service and of the migration share: any user id, and nothing to write to but two folders. */}}
{{- define "parley.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  seccompProfile:
    type: RuntimeDefault
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
volumes:
  # The scripts of the console for pages that were open at the last upgrade.
  - name: data
    emptyDir: {}
  - name: tmp
    emptyDir: {}
  - name: secret
    secret:
      secretName: {{ .Values.secret.name }}
      # The group may read it: the user's id is any.
      defaultMode: 0440
{{- end }}

{{- /* What their containers share. */}}
{{- define "parley.container" -}}
image: {{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
resources:
  {{- toYaml .Values.resources | nindent 2 }}
env:
  - name: PARLEY_PUBLIC_URL
    value: {{ .Values.publicUrl | quote }}
  {{- with .Values.trustedProxies }}
  - name: PARLEY_TRUSTED_PROXIES
    value: {{ join "," . | quote }}
  {{- end }}
  {{- range $setting, $value := .Values.settings }}
  - name: {{ $setting }}
    value: {{ $value | toString | quote }}
  {{- end }}
  {{- range $setting, $key := .Values.secret.settings }}
  - name: {{ $setting }}_FILE
    value: /run/secrets/parley/{{ $key }}
  {{- end }}
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
  - name: secret
    mountPath: /run/secrets/parley
    readOnly: true
{{- end }}
