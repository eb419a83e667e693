import type { Locale } from '../../domain/locale.ts';
import type { OrderMessageKind } from '../../domain/order-messages.ts';

/**
 * The templates of the messages about orders, as they are approved at the messaging platform: `order_delivery` in the languages en, fr
 * and pt_PT, and so on. {{1}} is the merchant, {{2}} the order, {{3}} an amount, a date or an act. The button opens `{BASE_URL}/orders/{{1}}`.
 * The platform approves no template that begins or ends with a parameter.
 */
export const ORDER_MESSAGE_TEXTS: {
  readonly [Kind in OrderMessageKind]: { readonly [L in Locale]: string };
} = {
  DELIVERY: {
    en: 'From {{1}}: a delivery of your order {{2}} for {{3}} is on its way. On its page you say that you have it, or that something is wrong. No more messages: STOP.',
    fr: 'De la part de {{1}} : un envoi de votre commande {{2}} de {{3}} est en route. Sa page sert à confirmer sa réception ou à signaler un problème. Plus de messages : ARRÊT.',
    pt: 'Da parte de {{1}}: um envio da sua encomenda {{2}} de {{3}} está a caminho. Na página dela confirma a receção ou comunica um problema. Sem mais mensagens: PARAR.',
  },
  RELEASE_IN_48_HOURS: {
    en: 'From {{1}}: the money for your order {{2}} is paid out on {{3}}. If something is wrong, say so on its page before. No more messages: STOP.',
    fr: 'De la part de {{1}} : l’argent de votre commande {{2}} sera versé le {{3}}. En cas de problème, signalez-le avant sur sa page. Plus de messages : ARRÊT.',
    pt: 'Da parte de {{1}}: o dinheiro da sua encomenda {{2}} é pago em {{3}}. Se houver um problema, comunique-o antes na página dela. Sem mais mensagens: PARAR.',
  },
  RELEASE_IN_6_HOURS: {
    en: 'From {{1}}: last reminder. The money for your order {{2}} is paid out on {{3}}, unless you say on its page that something is wrong. No more messages: STOP.',
    fr: 'De la part de {{1}} : dernier rappel. L’argent de votre commande {{2}} sera versé le {{3}}, sauf si vous signalez un problème sur sa page. Plus de messages : ARRÊT.',
    pt: 'Da parte de {{1}}: último aviso. O dinheiro da sua encomenda {{2}} é pago em {{3}}, salvo se comunicar um problema na página dela. Sem mais mensagens: PARAR.',
  },
  PROPOSAL: {
    en: 'From {{1}}: the other side of the order {{2}} proposes that you get {{3}}. You answer on its page. No more messages: STOP.',
    fr: 'De la part de {{1}} : l’autre partie de la commande {{2}} propose que vous receviez {{3}}. Vous répondez sur sa page. Plus de messages : ARRÊT.',
    pt: 'Da parte de {{1}}: a outra parte da encomenda {{2}} propõe que receba {{3}}. Responda na página dela. Sem mais mensagens: PARAR.',
  },
  DISPUTE: {
    en: 'From {{1}}: a dispute about the order {{2}} was opened, and {{3}} stays held. Say on its page what you know, with photos. No more messages: STOP.',
    fr: 'De la part de {{1}} : un litige a été ouvert sur la commande {{2}}, et {{3}} restent sous séquestre. Expliquez sur sa page ce que vous savez, avec des photos. Plus de messages : ARRÊT.',
    pt: 'Da parte de {{1}}: foi aberto um litígio sobre a encomenda {{2}}, e {{3}} ficam em garantia. Diga na página dela o que sabe, com fotografias. Sem mais mensagens: PARAR.',
  },
  DECISION: {
    en: 'From {{1}}: the dispute about the order {{2}} is decided. You get {{3}}. Its page says why. No more messages: STOP.',
    fr: 'De la part de {{1}} : le litige sur la commande {{2}} est tranché. Vous recevez {{3}}. Sa page indique pourquoi. Plus de messages : ARRÊT.',
    pt: 'Da parte de {{1}}: o litígio sobre a encomenda {{2}} está decidido. Recebe {{3}}. A página dela diz porquê. Sem mais mensagens: PARAR.',
  },
  SETTLEMENT: {
    en: 'From {{1}}: your proposal about the order {{2}} was accepted. You get {{3}}. No more messages: STOP.',
    fr: 'De la part de {{1}} : votre proposition sur la commande {{2}} est acceptée. Vous recevez {{3}}. Plus de messages : ARRÊT.',
    pt: 'Da parte de {{1}}: a sua proposta sobre a encomenda {{2}} foi aceite. Recebe {{3}}. Sem mais mensagens: PARAR.',
  },
  PAYOUT: {
    en: 'From {{1}}: you got {{3}} for the order {{2}}. No more messages: STOP.',
    fr: 'De la part de {{1}} : vous avez reçu {{3}} pour la commande {{2}}. Plus de messages : ARRÊT.',
    pt: 'Da parte de {{1}}: recebeu {{3}} pela encomenda {{2}}. Sem mais mensagens: PARAR.',
  },
  CANCELLATION: {
    en: 'From {{1}}: the order {{2}} was cancelled, and {{3}} went back to the buyer. Nothing more is to be sent. No more messages: STOP.',
    fr: 'De la part de {{1}} : la commande {{2}} est annulée, et l’acheteur a récupéré {{3}}. Il n’y a plus rien à expédier. Plus de messages : ARRÊT.',
    pt: 'Da parte de {{1}}: a encomenda {{2}} foi cancelada, e o comprador recuperou {{3}}. Já não há nada a enviar. Sem mais mensagens: PARAR.',
  },
  REJECTION: {
    en: 'From {{1}}: your proposal about the order {{2}}, by which you get {{3}}, was rejected. Its page says how it stands. No more messages: STOP.',
    fr: 'De la part de {{1}} : votre proposition sur la commande {{2}}, selon laquelle vous recevez {{3}}, est refusée. Sa page indique où elle en est. Plus de messages : ARRÊT.',
    pt: 'Da parte de {{1}}: a sua proposta sobre a encomenda {{2}}, pela qual recebe {{3}}, foi rejeitada. A página dela diz em que ponto está. Sem mais mensagens: PARAR.',
  },
  REFUSAL: {
    en: 'From {{1}}: your request to {{3}} was not approved (order {{2}}). Its page says how it stands. No more messages: STOP.',
    fr: 'De la part de {{1}} : votre demande ({{3}}) sur la commande {{2}} n’a pas été acceptée. Sa page indique où elle en est. Plus de messages : ARRÊT.',
    pt: 'Da parte de {{1}}: o seu pedido ({{3}}) sobre a encomenda {{2}} não foi aceite. A página dela diz em que ponto está. Sem mais mensagens: PARAR.',
  },
  /** Also in place of the others, which would name amounts that a chargeback takes away again. */
  CHARGEBACK: {
    en: 'From {{1}}: news about the order {{2}}, of whose payment {{3}} was taken back. Look at its page before you do anything. No more messages: STOP.',
    fr: 'De la part de {{1}} : du nouveau sur la commande {{2}}, dont le paiement a été repris pour {{3}}. Consultez sa page avant toute chose. Plus de messages : ARRÊT.',
    pt: 'Da parte de {{1}}: há novidades sobre a encomenda {{2}}, de cujo pagamento foram retirados {{3}}. Veja a página dela antes de fazer seja o que for. Sem mais mensagens: PARAR.',
  },
};

/**
 * The template of a code for acting on an order page. {{1}} is the code, {{2}} the act, {{3}} the order, {{4}} its amount, {{5}} the
 * merchant. The button has the code.
 */
export const ORDER_CODE_TEMPLATE = 'order_code';
export const ORDER_CODE_TEXTS: { readonly [L in Locale]: string } = {
  en: 'Use the code {{1}} to {{2}}: order {{3}} for {{4}} with {{5}}. Give it to nobody.',
  fr: 'Le code {{1}} sert à {{2}} : commande {{3}} de {{4}} chez {{5}}. Ne le communiquez à personne.',
  pt: 'O código {{1}} serve para {{2}}: encomenda {{3}} de {{4}} na {{5}}. Não o diga a ninguém.',
};

/** The codes of the platform. It has no plain Portuguese. */
export const TEMPLATE_LANGUAGES = { en: 'en', fr: 'fr', pt: 'pt_PT' } as const satisfies {
  readonly [L in Locale]: string;
};

export function templateOf(kind: OrderMessageKind): string {
  return `order_${kind.toLowerCase()}`;
}
