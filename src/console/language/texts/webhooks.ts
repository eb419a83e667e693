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
  '{time}, {count, plural, =0 {not sent yet} one {# attempt} other {# attempts}}': {
    fr: '{time}, {count, plural, =0 {pas encore envoyé} one {# tentative} other {# tentatives}}',
    pt: '{time}, {count, plural, =0 {ainda não enviado} one {# tentativa} other {# tentativas}}',
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
  'Send all waiting now': { fr: 'Envoyer maintenant tout ce qui attend', pt: 'Enviar agora tudo o que espera' },
  'Send now': { fr: 'Envoyer maintenant', pt: 'Enviar agora' },
  '{count, plural, one {# delivery is queued} other {# deliveries are queued}}, and sent once the endpoint is enabled.':
    {
      fr: '{count, plural, one {# envoi est en file} other {# envois sont en file}} et partira une fois le point de terminaison activé.',
      pt: '{count, plural, one {# envio está na fila} other {# envios estão na fila}} e segue quando o endpoint for ativado.',
    },
  'The newest {count} of {total} waiting deliveries are queued, and sent from now on. Send the others when these have arrived.':
    {
      fr: 'Les {count} plus récents des {total} envois en attente sont en file et partent à partir de maintenant. Envoyez les autres quand ceux-ci sont arrivés.',
      pt: 'Os {count} mais recentes dos {total} envios à espera estão na fila e seguem a partir de agora. Envie os outros quando estes tiverem chegado.',
    },
  '{count, plural, one {# delivery is queued and sent from now on} other {# deliveries are queued and sent from now on}}. Reload the page to see each attempt.':
    {
      fr: '{count, plural, one {# envoi est en file et part à partir de maintenant} other {# envois sont en file et partent à partir de maintenant}}. Rechargez la page pour voir chaque tentative.',
      pt: '{count, plural, one {# envio está na fila e segue a partir de agora} other {# envios estão na fila e seguem a partir de agora}}. Recarregue a página para ver cada tentativa.',
    },
} as const satisfies Translated;
