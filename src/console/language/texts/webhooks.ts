import type { Translated } from './translations.ts';

/** Texts of the pages of webhooks. */
export const WEBHOOKS = {
  'At most {hours} hours.': { fr: '{hours} heures au plus.', pt: 'No máximo {hours} horas.' },
  'Send a ping': { fr: 'Envoyer un ping', pt: 'Enviar um ping' },
  Disable: { fr: 'Désactiver', pt: 'Desativar' },
  Enable: { fr: 'Activer', pt: 'Ativar' },
  'Later events go to the new address.': {
    fr: 'Les événements suivants sont envoyés à la nouvelle adresse.',
    pt: 'Os eventos seguintes são enviados para o novo endereço.',
  },
  Replay: { fr: 'Renvoyer', pt: 'Reenviar' },
  'The events of that time are sent once more, with the same ids.': {
    fr: 'Les événements de cette période sont envoyés une nouvelle fois, avec les mêmes identifiants.',
    pt: 'Os eventos desse período são enviados mais uma vez, com os mesmos identificadores.',
  },
  'From, UTC': { fr: 'Du, UTC', pt: 'De, UTC' },
  'Until, UTC': { fr: 'Au, UTC', pt: 'Até, UTC' },
  'New secret': { fr: 'Nouveau secret', pt: 'Novo segredo' },
  'Signatures are made with the new secret. For the hours that you give, the old secret signs too.': {
    fr: 'Les signatures utilisent le nouveau secret. Pendant le nombre d’heures indiqué, l’ancien secret signe aussi.',
    pt: 'As assinaturas usam o novo segredo. Durante o número de horas indicado, o segredo antigo também assina.',
  },
  'Create a new secret': { fr: 'Créer un nouveau secret', pt: 'Criar um novo segredo' },
  'Nothing is sent to it any more. Events stay in the feed.': {
    fr: 'Plus rien n’y est envoyé. Les événements restent dans le flux.',
    pt: 'Nada mais lhe é enviado. Os eventos permanecem no fluxo.',
  },
  'Remove the endpoint': { fr: 'Supprimer le point de terminaison', pt: 'Remover o endpoint' },
  '{time}, {count, plural, one {# attempt} other {# attempts}}': {
    fr: '{time}, {count, plural, one {# tentative} other {# tentatives}}',
    pt: '{time}, {count, plural, one {# tentativa} other {# tentativas}}',
  },
  '{event} (what was sent)': { fr: '{event} (contenu envoyé)', pt: '{event} (conteúdo enviado)' },
  'Next attempt': { fr: 'Prochaine tentative', pt: 'Próxima tentativa' },
  'No answer': { fr: 'Aucune réponse', pt: 'Sem resposta' },
  '{count, plural, one {# earlier attempt is not shown.} other {# earlier attempts are not shown.}}': {
    fr: '{count, plural, one {# tentative antérieure n’est pas affichée.} other {# tentatives antérieures ne sont pas affichées.}}',
    pt: '{count, plural, one {# tentativa anterior não é apresentada.} other {# tentativas anteriores não são apresentadas.}}',
  },
  'Webhook endpoint': { fr: 'Point de terminaison webhook', pt: 'Endpoint de webhook' },
  'Disabled: the receiver answered 410 Gone. Fix it and enable the endpoint; it continues where it stopped.': {
    fr: 'Désactivé : le destinataire a répondu 410 Gone. Corrigez-le et activez le point de terminaison ; les envois reprennent là où ils se sont arrêtés.',
    pt: 'Desativado: o destinatário respondeu 410 Gone. Corrija-o e ative o endpoint; os envios continuam onde pararam.',
  },
  'Disabled: it failed for three days. Fix the receiver and enable the endpoint; it continues where it stopped.': {
    fr: 'Désactivé : les envois ont échoué pendant trois jours. Corrigez le destinataire et activez le point de terminaison ; les envois reprennent là où ils se sont arrêtés.',
    pt: 'Desativado: os envios falharam durante três dias. Corrija o destinatário e ative o endpoint; os envios continuam onde pararam.',
  },
  Endpoint: { fr: 'Point de terminaison', pt: 'Endpoint' },
  Failing: { fr: 'En échec', pt: 'Com falhas' },
  Description: { fr: 'Description', pt: 'Descrição' },
  'Failing since': { fr: 'En échec depuis', pt: 'Com falhas desde' },
  'Registered by': { fr: 'Enregistré par', pt: 'Registado por' },
  Actions: { fr: 'Actions', pt: 'Ações' },
  'No deliveries': { fr: 'Aucun envoi', pt: 'Sem envios' },
  'Nothing was sent yet.': { fr: 'Rien n’a encore été envoyé.', pt: 'Ainda nada foi enviado.' },
  'The endpoint is changed.': { fr: 'Le point de terminaison a été modifié.', pt: 'O endpoint foi alterado.' },
  'The endpoint is enabled.': { fr: 'Le point de terminaison est activé.', pt: 'O endpoint foi ativado.' },
  'The endpoint is disabled.': { fr: 'Le point de terminaison est désactivé.', pt: 'O endpoint foi desativado.' },
  'no answer': { fr: 'aucune réponse', pt: 'sem resposta' },
  'The receiver took the ping: {answer}, {duration} ms.': {
    fr: 'Le destinataire a accepté le ping : {answer}, {duration} ms.',
    pt: 'O destinatário aceitou o ping: {answer}, {duration} ms.',
  },
  'The receiver did not take the ping: {answer}.': {
    fr: 'Le destinataire n’a pas accepté le ping : {answer}.',
    pt: 'O destinatário não aceitou o ping: {answer}.',
  },
  'The endpoint has a new secret': {
    fr: 'Le point de terminaison a un nouveau secret',
    pt: 'O endpoint tem um novo segredo',
  },
  'The events of that time are sent once more.': {
    fr: 'Les événements de cette période sont envoyés une nouvelle fois.',
    pt: 'Os eventos desse período são enviados mais uma vez.',
  },
  'The delivery is retried.': { fr: 'L’envoi recommence.', pt: 'O envio recomeça.' },
  'The endpoint is removed.': { fr: 'Le point de terminaison a été supprimé.', pt: 'O endpoint foi removido.' },
  'Must be a date and a time.': { fr: 'Indiquez une date et une heure.', pt: 'Indique uma data e uma hora.' },
  'All events': { fr: 'Tous les événements', pt: 'Todos os eventos' },
  'Choose at least one event.': { fr: 'Choisissez au moins un événement.', pt: 'Escolha pelo menos um evento.' },
  'Your addresses that get the events.': {
    fr: 'Vos adresses qui reçoivent les événements.',
    pt: 'Os seus endereços que recebem os eventos.',
  },
  'No endpoint yet': { fr: 'Aucun point de terminaison pour l’instant', pt: 'Ainda sem endpoints' },
  'Register an address of yours, and every event is sent to it, signed.': {
    fr: 'Enregistrez une de vos adresses : chaque événement y est envoyé, signé.',
    pt: 'Registe um endereço seu: cada evento é-lhe enviado, assinado.',
  },
  'New endpoint': { fr: 'Nouveau point de terminaison', pt: 'Novo endpoint' },
  'Where to send': { fr: 'Destination des envois', pt: 'Destino dos envios' },
  'The endpoint is registered': { fr: 'Le point de terminaison est enregistré', pt: 'O endpoint foi registado' },
  '{time}, {duration} ms': { fr: '{time}, {duration} ms', pt: '{time}, {duration} ms' },
  'Send all waiting again': { fr: 'Renvoyer tout ce qui attend', pt: 'Reenviar tudo o que espera' },
  '{count, plural, one {# delivery is sent again.} other {# deliveries are sent again.}}': {
    fr: '{count, plural, one {# envoi est relancé.} other {# envois sont relancés.}}',
    pt: '{count, plural, one {# entrega é reenviada.} other {# entregas são reenviadas.}}',
  },
} as const satisfies Translated;
