import type { Translated } from './translations.ts';

/** Texts of the pages of webhooks. */
export const WEBHOOKS = {
  'At most {hours} hours.': { fr: '{hours} heures au plus.', pt: 'No máximo {hours} horas.' },
  'Send a ping': { fr: 'Envoyer un ping', pt: 'Enviar um ping' },
  Disable: { fr: 'Désactiver', pt: 'Desativar' },
  Enable: { fr: 'Activer', pt: 'Ativar' },
  'What is not delivered yet goes to the new address.': {
    fr: 'Ce qui n’est pas encore remis est envoyé à la nouvelle adresse.',
    pt: 'O que ainda não foi entregue é enviado para o novo endereço.',
  },
  Replay: { fr: 'Renvoyer', pt: 'Reenviar' },
  'The events of that time are sent once more, with the same ids.': {
    fr: 'Les événements de cette période sont envoyés une nouvelle fois, avec les mêmes identifiants.',
    pt: 'Os eventos desse período são enviados mais uma vez, com os mesmos identificadores.',
  },
  'From, time of {zone}': { fr: 'Du, heure de {zone}', pt: 'De, hora de {zone}' },
  'Until, time of {zone}': { fr: 'Au, heure de {zone}', pt: 'Até, hora de {zone}' },
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
  '{event} (what is sent)': { fr: '{event} (contenu de l’envoi)', pt: '{event} (conteúdo do envio)' },
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
  'The events of that time are queued once more.': {
    fr: 'Les événements de cette période sont remis en file.',
    pt: 'Os eventos desse período estão de novo na fila.',
  },
  'There are no events of that time.': {
    fr: 'Il n’y a aucun événement de cette période.',
    pt: 'Não há eventos desse período.',
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
  '{count, plural, one {# delivery is queued, and sent} other {# deliveries are queued, and sent}} once the endpoint is enabled.':
    {
      fr: '{count, plural, one {# envoi est en file et partira} other {# envois sont en file et partiront}} une fois le point de terminaison activé.',
      pt: '{count, plural, one {# envio está na fila e segue} other {# envios estão na fila e seguem}} quando o endpoint for ativado.',
    },
  'The oldest {count} of {total} waiting deliveries are queued. Send the others when these have arrived.': {
    fr: 'Les {count} plus anciens des {total} envois en attente sont en file. Envoyez les autres quand ceux-ci sont arrivés.',
    pt: 'Os {count} mais antigos dos {total} envios à espera estão na fila. Envie os outros quando estes tiverem chegado.',
  },
  '{count, plural, one {# delivery is queued. It is} other {# deliveries are queued. Each is}} sent now, or after the earlier ones of the same object that wait for a retry. Reload the page to see each attempt.':
    {
      fr: '{count, plural, one {# envoi est en file. Il part} other {# envois sont en file. Chacun part}} maintenant, ou après les envois antérieurs du même objet qui attendent une nouvelle tentative. Rechargez la page pour voir chaque tentative.',
      pt: '{count, plural, one {# envio está na fila. Segue} other {# envios estão na fila. Cada um segue}} agora, ou depois dos envios anteriores do mesmo objeto que esperam uma nova tentativa. Recarregue a página para ver cada tentativa.',
    },
  'Disabled by hand. Once it is enabled, it continues where it stopped.': {
    fr: 'Désactivé à la main. Une fois activé, il reprend là où il s’est arrêté.',
    pt: 'Desativado manualmente. Depois de ativado, continua onde parou.',
  },
  'None has this status.': { fr: 'Aucun n’a cet état.', pt: 'Nenhum tem este estado.' },
  'Nothing waits any more.': { fr: 'Plus rien n’attend.', pt: 'Já nada espera.' },
} as const satisfies Translated;
